#!/bin/sh
# Node in place of this shell, in a network of its own.
exec unshare --net sh -c 'ip link set lo up && exec "$FITTER_TEST_NODE" "$@"' node "$@"
