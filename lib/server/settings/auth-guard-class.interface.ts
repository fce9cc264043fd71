/** A guard as a class; what it needs is injected. */
export type AuthGuardClass = new (...dependencies: never[]) => { canActivate(context: never): unknown };
