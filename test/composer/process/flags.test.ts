import { HELP, readFlags } from '../../../composer/process/flags';

test('defaults', () => {
  expect(readFlags(['--bundle', 'b.js'])).toEqual({
    bundle: 'b.js', name: 'composer', leaderElect: true, metricsAddr: '0', healthAddr: '', threads: 2, webhookPort: 0, admission: false, verbosity: 2, json: false,
  });
});

test('all of them', () => {
  const args = ['--bundle=b.js', '--kubeconfig', 'k', '--namespace', 'platform', '--name', 'api', '--leader-elect=false', '--threads', '4', '--webhook-port', '9443', '--webhook-cert-dir', '/c', '--admission', '--metrics-addr', ':8080', '--health-addr', ':8081', '-v', '3', '--json-logging'];
  expect(readFlags(args)).toEqual({
    bundle: 'b.js', kubeconfig: 'k', namespace: 'platform', name: 'api', leaderElect: false, metricsAddr: ':8080', healthAddr: ':8081', threads: 4, webhookPort: 9443, webhookCertDir: '/c', admission: true, verbosity: 3, json: true,
  });
  expect(readFlags(['--bundle', 'b', '--leader-elect'])).toMatchObject({ leaderElect: true });
  expect([readFlags(['--help']), readFlags(['--version'])]).toEqual(['help', 'version']);
  for (const name of ['bundle', 'kubeconfig', 'namespace', 'name', 'leader-elect', 'threads', 'webhook-port', 'webhook-cert-dir', 'admission', 'metrics-addr', 'health-addr', 'verbose', 'json-logging']) expect(HELP).toContain(`--${name}`);
});

test.each([
  [[], '--bundle FILE is missing'],
  [['--bundle', 'b', '--threads', '0'], '--threads 0: write a number from 1 to 64'],
  [['--bundle', 'b', '--webhook-cert-dir', 'c'], '--webhook-cert-dir needs --webhook-port PORT'],
  [['--bundle', 'b', '--admission'], '--admission needs --webhook-port PORT'],
  [['--bundle', 'b', '--leader-elect=maybe'], '--leader-elect=maybe: write true or false'],
  [['--bundle', 'b', '--namespace', 'A B'], "--namespace A B: write lower-case letters, digits and '-'"],
  [['--bundle', 'b', '--other'], "Unknown option '--other'"],
])('%j is refused: %s', (args, message) => {
  expect(() => readFlags(args)).toThrow(message);
});
