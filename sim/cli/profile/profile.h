/* cli/profile: `sidewinder profile`. */
#ifndef CLI_PROFILE_PROFILE_H
#define CLI_PROFILE_PROFILE_H

int cli_profile(int argc, char **argv);

#endif
