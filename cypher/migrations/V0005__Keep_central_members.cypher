// A question reads the most central members of a community without passing over all of its members
MATCH (c:Community)
CALL (c) {
  MATCH (c)<-[m:IN_COMMUNITY]-(e:Entity)
  WHERE m.rank < 100
  WITH e
  ORDER BY m.rank
  RETURN collect(e.id) AS central
}
SET c.central = central;