const OF_MOCKS = [
  'clearAllMocks',
  'fn',
  'isMockFunction',
  'replaceProperty',
  'resetAllMocks',
  'restoreAllMocks',
  'spyOn',
];

const OF_TIMERS = [
  'advanceTimersByTime',
  'advanceTimersByTimeAsync',
  'advanceTimersToNextTimer',
  'advanceTimersToNextTimerAsync',
  'clearAllTimers',
  'getRealSystemTime',
  'getTimerCount',
  'now',
  'runAllTimers',
  'runAllTimersAsync',
  'runOnlyPendingTimers',
  'runOnlyPendingTimersAsync',
  'setSystemTime',
  'useFakeTimers',
  'useRealTimers',
];

/** Makes the `jest` of a suite: functions that stand in for others, and timers. There are no mocks of modules, since suites share modules. */
export function createJestObject({ moduleMocker, fakeTimersModern }) {
  return Object.fromEntries([
    ...OF_MOCKS.map((name) => [name, moduleMocker[name].bind(moduleMocker)]),
    ...OF_TIMERS.map((name) => [name, fakeTimersModern[name].bind(fakeTimersModern)]),
  ]);
}
