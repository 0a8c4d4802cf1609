import { parseCommand, UsageError } from '../../catalog-tool/arguments';

test.each([
  [['--source', 'aso'], { is: 'write', source: 'aso', out: 'catalog', overlays: 'catalog/overlays' }],
  [['--source', 'aso', '--out', 'new', '--overlays', 'o', '--check'], { is: 'check', source: 'aso', out: 'new', overlays: 'o' }],
  [['overlays'], { is: 'overlays', check: false, out: 'catalog', overlays: 'catalog/overlays' }],
  [['overlays', '--check', '--out', 'new'], { is: 'overlays', check: true, out: 'new', overlays: 'catalog/overlays' }],
  [['diff', 'old', 'new'], { is: 'diff', before: 'old', after: 'new', output: 'text' }],
  [['diff', 'old', 'new', '--output', 'json'], { is: 'diff', before: 'old', after: 'new', output: 'json' }],
])('%j', (args, command) => expect(parseCommand(args)).toEqual(command));

test.each([
  [[], '--source is missing'],
  [['compare'], 'There is no command compare'],
  [['overlays', '--source', 'aso'], 'overlays takes --out, --overlays and --check'],
  [['overlays', 'more'], 'overlays takes --out, --overlays and --check'],
  [['diff', 'old'], 'diff takes two directories'],
  [['diff', 'a', 'b', 'c'], 'diff takes two directories'],
  [['diff', 'a', 'b', '--output', 'xml'], '--output is text or json, not xml'],
  [['--sauce', 'a'], '--sauce'],
])('%j is refused', (args, message) => {
  expect(() => parseCommand(args)).toThrow(UsageError);
  expect(() => parseCommand(args)).toThrow(message);
});
