# Writes FILE: which commit of SOURCE this is, in a word, for `sidewinder --version`. In a clone it is what git describe
# says (with -dirty where files were changed); in a tree that git archive made, the commit that exported.txt names;
# in any other copy, nothing. Run at each build:   cmake -D SOURCE=... -D FILE=... -P version.cmake
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --tags --match "v[0-9]*" --always --dirty
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(commit STREQUAL "")
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/exported.txt commit REGEX "^[0-9a-f]+$")
endif()
set(before "")
if(EXISTS ${FILE})
  file(READ ${FILE} before)
endif()
if(NOT EXISTS ${FILE} OR NOT before STREQUAL "${commit}\n")
  file(WRITE ${FILE} "${commit}\n")
endif()
