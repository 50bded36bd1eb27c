# Writes FILE: which commit of SOURCE this is, in a word, for `sidewinder --version`. In a clone it is what git describe
# says (with -dirty where files were changed). Before the first tag it is the same word, of the version to come and the
# number of commits so far: v0.1.0-dev-1062-g7a926a6c. In a tree that git archive made it is what exported.txt has; in
# any other copy, nothing. Run at each build:   cmake -D SOURCE=... -D VERSION=0.1.0 -D FILE=... -P version.cmake
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --tags --match "v[0-9]*" --always --dirty
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --is-shallow-repository
                  OUTPUT_VARIABLE shallow OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(commit MATCHES "^[0-9a-f]+(-dirty)?$" AND shallow STREQUAL "false") # a shallow clone cannot count
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-list --count HEAD
                    OUTPUT_VARIABLE count OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(commit "v${VERSION}-dev-${count}-g${commit}")
  endif()
endif()
if(commit STREQUAL "")
  # the tag, or what follows it; where there was none, the commit
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/exported.txt exported REGEX "^(v[0-9].*|[0-9a-f]+)$")
  if(exported)
    list(GET exported 0 commit)
  endif()
endif()
set(before "")
if(EXISTS ${FILE})
  file(READ ${FILE} before)
endif()
if(NOT EXISTS ${FILE} OR NOT before STREQUAL "${commit}\n")
  file(WRITE ${FILE} "${commit}\n")
endif()
