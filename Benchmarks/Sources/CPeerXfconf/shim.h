#include <xfconf/xfconf.h>
