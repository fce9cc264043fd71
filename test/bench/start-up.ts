export interface StartUpPlan {
  /** How often every row of a table is started, in turn with the others. */
  rounds: number;
}
