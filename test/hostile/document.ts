import { PLATFORM_ATTACKS } from './platform-attacks';
import { ATTACKS } from './rows';
import { TRANSPORT_ATTACKS } from './transport-attacks';
import { ATTACKS as REFUSED } from '../platform/attacks';

const INTRODUCTION = `# Attacks and accidents

Attacks on the controller and its platform, accidents around them, and the result that must hold. \`test/hostile\` runs each row of the
first tables against the built controller, an embedded Kubernetes API and a simulated Azure. After each row, objects of a neighbour must
become Ready, the controller must not have ended unless the row ends it, the probes must have answered, and no Secret's value may be in
the log. Attacks on a platform's own API, and some on requests, are tried by the tests of their parts, and the last table runs against a
real kube-apiserver. [guard-rails.md](guard-rails.md) describes the boundary between teams.

The test \`test/hostile/table.test.ts\` compares this page with the rows. To write it anew:

    WRITE_DOCS=1 npx jest test/hostile/table
`;

/** The page of the documents that lists all rows. */
export function hostileDocument(): string {
  const areas = Object.entries(ATTACKS).map(([area, attacks]) =>
    section(
      area,
      ['Actor', 'Action', 'Result'],
      attacks.map(({ who, what, holds }) => [who, what, holds]),
    ),
  );
  const transport = section(
    'Attacks on requests, tried by the tests of their parts',
    ['Actor', 'Action', 'Result'],
    TRANSPORT_ATTACKS.map(({ who, what, holds }) => [who, what, holds]),
  );
  const platform = section(
    'Attacks on a platform\'s own API',
    ['Actor', 'Action', 'Result'],
    PLATFORM_ATTACKS.map(({ who, what, holds }) => [who, what, holds]),
  );
  const refused = section(
    'Attempts of a team with every right in its namespace, on a real kube-apiserver',
    ['Action', 'Refused by'],
    REFUSED.map(({ what, refusedBy }) => [what, `\`${refusedBy}\``]),
  );
  return [INTRODUCTION, ...areas, transport, platform, refused].join('\n');
}

function section(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return `## ${title}\n\n${[line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/<(?=[a-z])/gi, '&lt;');
}
