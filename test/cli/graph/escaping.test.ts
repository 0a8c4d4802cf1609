import fc from 'fast-check';
import { svgText } from './graphviz';
import { GraphEdge, GraphFormat, GraphRelation, GraphRole } from '../../../src/core/graph/facts';
import { Graph } from '../../../src/core/graph/graph';
import { render } from '../../../src/core/graph/render';

const HOSTILE = [
  '</title><script>alert(1)</script>',
  '"]; n0 -> n0 [label="',
  "'><img src=x onerror=alert(1)>",
  '%%{init: {"securityLevel": "loose"}}%%',
  '`**bold**`',
  'end',
  'a --> b; click n0 href "javascript:alert(1)"',
  '\u001b[2J\u001b]0;owned\u0007',
  '\u009b31m',
  '\u202egnp.exe',
  '\ud800',
  'two\nlines',
  '\\N\\G',
  '&lt;&amp;&#0;',
  ']]>',
  '<!--',
  '#quot;',
  'a|b',
  '\u2028',
  '',
  'x'.repeat(300),
  '日本語 – ü',
];

function hostile(text: string): Graph {
  const named = { kind: text, name: text, azureName: `${text}!`, armId: text, constructPath: text };
  const full = { ...named, role: GraphRole.RESOURCE, external: false, group: `${text}.azure.com`, namespace: text, builtInRole: text };
  const { group: _, ...withoutGroup } = full;
  const edge = (relation: GraphRelation, from: string, to: string): GraphEdge => ({
    relation,
    from,
    to,
    path: text,
    waits: true,
    store: 'Secret',
    storeName: text,
    storeKey: text,
  });
  return new Graph({
    nodes: [
      { ...full, key: 'a' },
      { ...full, key: 'b' },
      { ...withoutGroup, key: 'c', role: GraphRole.CREDENTIAL },
      { ...named, key: 'd', role: GraphRole.RESOURCE, external: true, group: `${text}.azure.com` },
    ],
    edges: [
      edge(GraphRelation.OWNS, 'a', 'b'),
      edge(GraphRelation.FEEDS, 'a', 'd'),
      edge(GraphRelation.FEEDS, 'd', 'a'),
      edge(GraphRelation.AUTHENTICATES_WITH, 'b', 'c'),
      edge(GraphRelation.REFERENCES, 'b', 'd'),
    ],
  });
}

// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/;

const ascii = fc.string({ unit: 'binary', maxLength: 40 });

describe.each(HOSTILE.map((text) => [JSON.stringify(text), text] as const))('%s', (_, text) => {
  test('breaks no text', () => {
    for (const format of Object.values(GraphFormat)) expect(render(hostile(text), format)).not.toMatch(UNPRINTABLE);
    expect(JSON.parse(render(hostile(text), GraphFormat.JSON)).nodes[0].name).toBe(text);
  });

  test('breaks no picture', async () => {
    const svg = await svgText(hostile(text));
    expect(svg).not.toMatch(UNPRINTABLE);
    wellFormed(svg);
  });
});

test('any text is as harmless', async () => {
  await fc.assert(fc.asyncProperty(ascii, async (text) => {
    for (const format of Object.values(GraphFormat)) expect(render(hostile(text), format)).not.toMatch(UNPRINTABLE);
    wellFormed(await svgText(hostile(text)));
  }), { numRuns: 60 });
});

test('DOT and Mermaid have as many lines and statements, whatever the names', () => {
  for (const format of [GraphFormat.MERMAID, GraphFormat.DOT, GraphFormat.TREE]) {
    const lines = render(hostile('harmless'), format).split('\n').length;
    for (const text of HOSTILE) expect(render(hostile(text), format).split('\n')).toHaveLength(lines);
  }
});

test('Mermaid gets no character that means something to it', () => {
  for (const text of HOSTILE) {
    const labels = [...render(hostile(text), GraphFormat.MERMAID).matchAll(/"([^"]*)"/g)].map(([, label]) =>
      label!.replace(/<br\/>|<\/?[bi]>/g, ''),
    );
    for (const label of labels) expect(label.replace(/#\d+;/g, '')).not.toMatch(/[#"<>`%;|{}()[\]]/);
  }
});

/** Elements that are closed in order, no script, no handler. */
function wellFormed(svg: string): void {
  const open: string[] = [];
  const rest = svg
    .replace(/<!--[^]*?-->/g, '')
    .replace(
      /<(\/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g,
      (_, closing: string, name: string, attributes: string, empty: string) => {
        expect(name).toMatch(/^(svg|g|title|path|polygon|polyline|ellipse|text|a)$/);
        expect(attributes.replace(/"[^"]*"/g, '')).not.toMatch(/\son\w+=|href=/);
        if (closing) expect(open.pop()).toBe(name);
        else if (!empty) open.push(name);
        return '';
      },
    );
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>]/);
  expect(rest).not.toMatch(/&(?!(?:#\d+|#x[0-9a-f]+|amp|lt|gt|quot|apos|nbsp);)/i);
}
