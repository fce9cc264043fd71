/** The class of a guard. Nest injects its dependencies. */
export type AuthGuardClass = new (...dependencies: never[]) => { canActivate(context: never): unknown };
