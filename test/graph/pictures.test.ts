import { svgText } from './graphviz';
import { fixture, graphOf } from './manifests';
import { GraphFormat } from '../../src/core/graph/facts';
import { render } from '../../src/core/graph/render';
import { coloursOf, NEUTRAL, PALETTE } from '../../src/core/graph/render/colours';

/** `onboarding.yaml` is what examples/onboarding gave when these pictures were looked at. */
describe.each(['onboarding.yaml', 'features.yaml'])('%s', (file) => {
  test.each(Object.values(GraphFormat))('as %s', (format) => {
    expect(render(graphOf(fixture(file)), format)).toMatchSnapshot();
  });

  test('as svg', async () => {
    const svg = await svgText(graphOf(fixture(file)));
    expect(svg).toMatchSnapshot();
    expect(svg).not.toContain('never-shown');
  });
});

describe('colours', () => {
  const luminance = (hex: string) => {
    const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
    const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: string, b: string) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };

  test('text is readable on its ground, in its box and on white', () => {
    for (const { ground, box, text } of [...PALETTE, NEUTRAL]) for (const on of [ground, box, '#ffffff']) expect(contrast(text, on)).toBeGreaterThan(7);
  });

  test('lines stand out from the white ground', () => {
    for (const { line } of PALETTE) expect(contrast(line, '#ffffff')).toBeGreaterThan(2.9);
  });

  test('services that are used together differ', () => {
    const common = ['resources', 'managedidentity', 'authorization', 'servicebus', 'storage', 'dbforpostgresql', 'network', 'keyvault', 'containerservice', 'containerregistry', 'documentdb', 'compute'];
    expect(new Set(common.map(coloursOf)).size).toBe(common.length);
  });
});
