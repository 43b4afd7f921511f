# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completes the options of the tools in bash, which it takes from their --help: names that begin as
# the word does, chips behind --chip, files everywhere else.

_ck_mlir() {
  local tool=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  # "=" is a word of its own to bash.
  if [ "$word" = "=" ]; then
    word=
  elif [ "$before" = "=" ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $before in
  --chip | --chips | --list-instructions)
    local chips=ck-gen
    [ "${tool##*/}" = ck-emulate ] && chips=ck-emulate
    # A colon is a word of its own to bash: products are not completed.
    mapfile -t COMPREPLY < <(compgen -W "$("$chips" --list-chips 2>/dev/null | sed -n '2,$s/[ :].*//p' | sort -u)" -- "$word")
    return
    ;;
  esac
  case $word in
  -*)
    mapfile -t COMPREPLY < <(compgen -W "$("$tool" --help 2>/dev/null | grep -oE '^ +--?[a-z][a-z0-9-]*=?' | tr -d ' ' | sort -u)" -- "$word")
    [ "${COMPREPLY[0]%=}" = "${COMPREPLY[0]}" ] || compopt -o nospace 2>/dev/null
    ;;
  *)
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    ;;
  esac
}

complete -o filenames -F _ck_mlir ck-run ck-gen ck-compile ck-opt ck-library ck-tune ck-emulate
