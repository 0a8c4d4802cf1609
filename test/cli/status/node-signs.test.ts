import { styleFor } from '../../../cli/output/terminal';
import { signOf } from '../../../cli/status/node-signs';
import { NODE_STATES } from '../../../engine/inspect';

const [plain, coloured] = [styleFor({ isTTY: false }, {}), styleFor({ isTTY: true }, {})];
// eslint-disable-next-line no-control-regex
const colourOf = (text: string) => /^\u001b\[(\d+)m/.exec(text)?.[1];

test('each state has a sign of its own, with and without colours', () => {
  for (const style of [plain, coloured]) expect(new Set(NODE_STATES.map((state) => signOf(state, style))).size).toBe(NODE_STATES.length);
});

test('an object that waits is neither faint, nor in the colour of a healthy one or of one that no controller has looked at', () => {
  const [waiting, ready, unclaimed] = (['Waiting', 'Ready', 'Unclaimed'] as const).map((state) => colourOf(signOf(state, coloured)));
  expect([waiting, ready, unclaimed]).toEqual([undefined, '32', '33']);
});
