/** The reason why a route cannot become a tool, phrased as the predicate of a sentence about the route. */
export class RouteRefusal extends Error {
  override readonly name = 'RouteRefusal';
}
