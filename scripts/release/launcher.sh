#!/bin/sh
# Starts Stayport under the Node of this archive. It needs no PATH, and may be reached through links.
LOADER=@LOADER@
if [ ! -e "$LOADER" ]; then
  echo "stayport: this is the archive for @PLATFORM@ with glibc, and $LOADER is not on this machine. Take the archive of this machine's processor; on a system without glibc use the container image." >&2
  exit 1
fi
self=$0
# `command -p` finds the tools of the system without PATH.
if [ -h "$self" ]; then self=$(command -p readlink -f -- "$self") || exit 1; fi
case $self in
  */*) bin=${self%/*} ;;
  *) bin=. ;;
esac
root=$(CDPATH='' cd -P -- "$bin/.." && pwd -P) || exit 1
exec "$root/node/bin/node" "$root/bin/stayport.cjs" "$@"
