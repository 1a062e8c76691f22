#include <dconf/dconf.h>
