/** How many timers something leaves behind, whether it succeeds or fails. They are no real ones, for which a process would wait. */
export async function timersLeftBy(act: () => Promise<unknown>): Promise<number> {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  try {
    await act().catch(() => undefined);
    return jest.getTimerCount();
  } finally {
    jest.useRealTimers();
  }
}
