import { secondsOfDuration } from '../../src/util/iso-duration';

test.each([
  ['PT5M', 300], ['P1D', 86_400], ['PT24H', 86_400], ['P1DT2H3M4S', 93_784], ['PT0.5S', 0.5], ['P2W', 1_209_600], ['P1Y', 31_536_000],
  ['P10675199DT2H48M5.4775807S', 922_337_203_685.4776],
])('%s has %s seconds', (text, seconds) => expect(secondsOfDuration(text)).toBeCloseTo(seconds, 3));

test.each(['P', 'PT', '5m', 'PT5', 'P1DT', '14 days', '', 'pt5m', 'PT-5M'])('%s is no duration', (text) => {
  expect(secondsOfDuration(text)).toBeUndefined();
});
