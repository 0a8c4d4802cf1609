import type { Report } from '../../../controller/supervisor/messages';
import { PeerThread } from '../../../controller/supervisor/peer-thread';

const VIEW = { members: ['a'], split: [] };
const SNAPSHOT = { member: 'a', epoch: 1, proofs: [], views: [] };

function peer() {
  const reports: Report[] = [];
  return { reports, thread: new PeerThread({ postMessage: (report) => void reports.push(report) }) };
}

test('answers reach the question of their number, in whatever order they come', async () => {
  const { reports, thread } = peer();
  const [prepared, taken] = [thread.prepare(VIEW, new AbortController().signal), thread.take(SNAPSHOT)];
  expect(reports).toEqual([{ is: 'prepare', number: 1, view: VIEW }, { is: 'snapshot', number: 2, snapshot: SNAPSHOT }]);
  thread.answered({ do: 'taken', number: 2 });
  await taken;
  thread.answered({ do: 'prepared', number: 1, error: 'no list' });
  await expect(prepared).rejects.toThrow('no list');
});

test('the end of the time to prepare is passed on', () => {
  const { reports, thread } = peer();
  const time = new AbortController();
  void thread.prepare(VIEW, time.signal);
  time.abort();
  expect(reports.at(-1)).toEqual({ is: 'prepareOver', number: 1 });
});
