/** The most issues that one validation reports. Further issues are not searched. */
export const MOST_ISSUES = 100;
