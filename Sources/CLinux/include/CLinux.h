#ifndef CLINUX_H
#define CLINUX_H

/// The few Linux calls that Swift's Glibc module does not import.

#endif
