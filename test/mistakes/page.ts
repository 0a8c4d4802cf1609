import type { Found, Mistake } from './mistake';

const HEAD = `# Mistakes, and what you are told

Mistakes that Azure Service Operator, its webhooks or Azure would report after \`kubectl apply\` are reported before it. \`test/mistakes\`
writes this page: it makes every mistake, compares the message and checks that the code without the mistake succeeds.
[\`cdk8s-aso check\`](checks.md) reports mistakes in YAML. At synth only certain mistakes are errors; the rest is left to that command.
Mistakes that only Azure would refuse have [a page of their own](azure-rules.md).

In the code, \`chart\` is a chart in namespace \`shop\`, \`other\` one in namespace \`other\`; \`group\`, \`account\` and \`identity\` are a resource group,
a storage account (\`shopdata\`) and an identity of the chart; \`base\` is owner and location, \`sa\` what a storage account has to have;
\`UUID\` and \`SUBSCRIPTION\` are UUIDs, \`ADMIN\`, \`LOCAL\`, \`USER\` and \`TOKEN\` the other properties that are required.
`;

const SECTIONS: readonly [Found, string, string][] = [
  ['compile', 'In the editor', 'The code does not compile.'],
  ['construct', 'When the construct is made', 'The program ends with the line that is wrong.'],
  ['synth', 'At synth', '`cdk8s synth` writes nothing and lists every finding with the path of its construct.'],
];

/** docs/mistakes.md. */
export function mistakesPage(mistakes: readonly Mistake[], messageOf: (index: number) => string): string {
  const rows = mistakes.map((mistake, index) => ({ mistake, message: messageOf(index) }));
  const sections = SECTIONS.map(([found, title, text]) => {
    const own = rows.filter(({ mistake }) => mistake.found === found);
    const lines = own.map(
      ({ mistake: { what, wrong }, message }) => `| ${cell(what)} | ${wrong.split('\n').map(code).join('<br>')} | ${cell(message)} |`,
    );
    return `## ${title}\n\n${text} ${own.length} mistakes.\n\n| Mistake | You write | You are told |\n|---|---|---|\n${lines.join('\n')}\n`;
  });
  return [HEAD, ...sections].join('\n');
}

function code(text: string): string {
  return `\`${short(text).replaceAll('|', '\\|')}\``;
}

/** Text between code, where Markdown would read its own signs. */
function cell(text: string): string {
  return short(text).replace(/[\\`*_<>|[\]]/g, (sign) => `\\${sign}`);
}

/** Long texts are mostly names made of repeated letters. */
function short(text: string): string {
  const parts = text.length > 420 ? [text.slice(0, 400), ' …'] : [text];
  return parts.join('').trim();
}
