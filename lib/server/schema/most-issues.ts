/** How many issues one validation reports; what a value has beyond that is not looked at. */
export const MOST_ISSUES = 100;
