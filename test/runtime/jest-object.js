const OF_MOCKS = 'clearAllMocks fn isMockFunction replaceProperty resetAllMocks restoreAllMocks spyOn'.split(
  ' ',
);

const OF_TIMERS = [
  ...'advanceTimersByTime advanceTimersByTimeAsync advanceTimersToNextTimer advanceTimersToNextTimerAsync'.split(
    ' ',
  ),
  ...'runAllTimers runAllTimersAsync runOnlyPendingTimers runOnlyPendingTimersAsync clearAllTimers'.split(
    ' ',
  ),
  ...'getRealSystemTime getTimerCount now setSystemTime useFakeTimers useRealTimers'.split(' '),
];

/** Makes the `jest` of a suite: functions that stand in for others, and timers. There are no mocks of modules, since suites share modules. */
export function createJestObject({ moduleMocker, fakeTimersModern }) {
  return Object.fromEntries([
    ...OF_MOCKS.map((name) => [name, moduleMocker[name].bind(moduleMocker)]),
    ...OF_TIMERS.map((name) => [name, fakeTimersModern[name].bind(fakeTimersModern)]),
  ]);
}
