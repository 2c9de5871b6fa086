#!/bin/bash
# Reports Neo4j's health to the container engine, and ends a server that refuses all work: the restart policy then starts it again.
#
# After a failed write, most likely because the disk was full, Neo4j refuses all work until it is restarted, and Community Edition has no
# setting that would end it. It is killed, not stopped, and only once there is disk space: platform/interlace_stack/watchdog.py says why.
# A failure that passes before the next check kills nothing, and the pause between kills doubles up to 15 minutes. The engine starts this script
# for every check, so files remember; they survive the restart of a container.
set -u
least_kib=262144
first_pause=30
longest_pause=900
failing="${TMPDIR:-/tmp}/neo4j-failing"
pause_file="${TMPDIR:-/tmp}/neo4j-killed" # written at each kill: the seconds until the next one

unhealthy="$(NEO4J_PASSWORD="${NEO4J_AUTH#*/}" cypher-shell --username neo4j --database system --format plain \
  "SHOW DATABASES YIELD currentStatus, statusMessage, access
   WHERE currentStatus <> 'online' OR statusMessage <> '' OR access <> 'read-write'
   RETURN count(*)" | tail -n 1)"
if [ "$unhealthy" = 0 ]; then
  rm -f "$failing"
  exit 0
fi
free_kib="$(df --output=avail /data | tail -n 1)"
# Without a number it did not answer, because it is being started or stopped, or hangs: no failure that lasts is known of.
if ! [[ "$unhealthy" =~ ^[0-9]+$ ]]; then
  rm -f "$failing"
  echo "Neo4j does not answer."
  exit 1
fi
if [ "$free_kib" -lt "$least_kib" ]; then
  echo "Neo4j is unhealthy; $free_kib KiB are free on its disk."
  exit 1
fi
if [ ! -e "$failing" ]; then
  touch "$failing"
  echo "Neo4j refuses all work. It is killed if that lasts."
  exit 1
fi
pause=0
if [ -e "$pause_file" ]; then
  since_kill=$(($(date +%s) - $(stat --format %Y "$pause_file")))
  pause="$(cat "$pause_file")"
  if [ "$since_kill" -lt "$pause" ]; then
    echo "Neo4j refuses all work. It was killed $since_kill s ago, and is not killed again before $pause s."
    exit 1
  fi
  if [ "$since_kill" -ge $((2 * longest_pause)) ]; then
    pause=0
  fi
fi
pause=$((pause == 0 ? first_pause : 2 * pause))
echo $((pause < longest_pause ? pause : longest_pause)) >"$pause_file"
rm -f "$failing"
echo "Neo4j refuses all work and is killed, so that it is started again."
pkill -KILL -f org.neo4j.server.CommunityEntryPoint
exit 1
