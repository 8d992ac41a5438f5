#!/bin/sh
# The command `nomopoly` of the site on this machine: as its user, with its environment, in its folder.
# As root: install -m 755 deploy/nomopoly.sh /usr/local/bin/nomopoly
# AT=/opt/nomopoly-2 nomopoly verify --all: with the version in another folder.
exec systemd-run --quiet --pipe --pty --wait --collect --uid=nomopoly --property=UMask=0077 \
    --property=EnvironmentFile=/etc/nomopoly.env --working-directory=/var/lib/nomopoly "${AT:-/opt/nomopoly}/bin/nomopoly" "$@"
