# cpack, before a Debian package is made: zsh's completions go where Debian's zsh looks in /usr.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(zsh ${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share/zsh)
  file(RENAME ${zsh}/site-functions ${zsh}/vendor-completions)
endif()
