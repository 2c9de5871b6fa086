#!/bin/bash
# Reports Neo4j's health to the container engine, and ends a server that refuses all work: the restart policy then starts it again.
#
# After a failed write, most likely because the disk was full, Neo4j refuses all work until it is restarted, and Community Edition has no
# setting that would end it. It is killed, not stopped, and only once there is disk space: platform/interlace_stack/watchdog.py says why.
set -u
least_kib=262144

unhealthy="$(NEO4J_PASSWORD="${NEO4J_AUTH#*/}" cypher-shell --username neo4j --database system --format plain \
  "SHOW DATABASES YIELD currentStatus, statusMessage, access
   WHERE currentStatus <> 'online' OR statusMessage <> '' OR access <> 'read-write'
   RETURN count(*)" | tail -n 1)"
if [ "$unhealthy" = 0 ]; then
  exit 0
fi
free_kib="$(df --output=avail /data | tail -n 1)"
# Without a number it did not answer, because it is being started or stopped, or hangs.
if [[ "$unhealthy" =~ ^[0-9]+$ ]] && [ "$free_kib" -ge "$least_kib" ]; then
  echo "Neo4j refuses all work and is killed, so that it is started again."
  pkill -KILL -f org.neo4j.server.CommunityEntryPoint
else
  echo "Neo4j is unhealthy; $free_kib KiB are free on its disk."
fi
exit 1
