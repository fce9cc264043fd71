/** Clauses that the package does not keep yet: calls that prove them are made, and not judged. */
export const PENDING = ['APP-01', 'APP-03'];
