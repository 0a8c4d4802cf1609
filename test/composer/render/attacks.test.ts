import { boxOf, claimOf, composed } from './bundles';
import type { ComposeResult } from '../../../composer/render/types';

const problemOf = ({ problem }: ComposeResult) => problem;
const failure = (message: unknown) => expect.objectContaining({ reason: 'ComposeFailed', message }) as unknown;
const limits = (text: string) => ({ more: `limits: { ${text} },` });

describe('a claim that', () => {
  test('has a member __proto__ is refused, wherever it is', async () => {
    const spec = JSON.parse('{"labels":[{"__proto__":{"isAdmin":true}}]}') as unknown;
    expect(problemOf(await composed('', {}, spec))).toEqual({
      reason: 'InvalidSpec',
      issues: [{ path: 'spec.labels[0].__proto__', message: 'a member must not have this name' }],
    });
  });

  test('has a member constructor reaches no prototype', async () => {
    const compose = 'return { outputs: { own: claim.spec.constructor.prototype.x, polluted: String({}.x) } };';
    await expect(composed(compose, {}, { constructor: { prototype: { x: 'own' } } })).resolves.toMatchObject({
      rendered: { outputs: { own: { value: 'own' }, polluted: { value: 'undefined' } } },
    });
  });

  test('has a text of a megabyte is composed; one of two is refused', async () => {
    const compose = 'return { outputs: { length: claim.spec.text.length } };';
    const of = (length: number) => composed(compose, {}, { text: 'x'.repeat(length) });
    await expect(of(1_000_000)).resolves.toMatchObject({ rendered: { outputs: { length: { value: 1_000_000 } } } });
    expect(problemOf(await of(2_000_000))).toEqual({
      reason: 'InvalidSpec', issues: [{ path: 'spec', message: 'is larger than 1600000 characters' }],
    });
  });

  test('is nested too deeply is refused', async () => {
    let spec: unknown = {};
    for (let depth = 0; depth < 100_000; depth += 1) spec = { spec };
    expect(problemOf(await composed('', {}, spec))).toEqual({ reason: 'InvalidSpec', issues: [{ path: 'spec', message: 'is nested too deeply' }] });
  });

  test('makes a pattern of the schema backtrack is stopped by the deadline, and no other claim waits', async () => {
    const renderer = boxOf({
      validate: "return /^(a+)+$/.test(value.name) ? { value } : { issues: [{ message: 'no', path: ['name'] }] };",
      ...limits('seconds: 0.5'),
    });
    const quick = (namespace: string) => renderer.compose(claimOf({ name: 'a' }, { namespace }));
    // Now both threads run.
    await Promise.all(['team-b', 'team-c'].map(quick));
    const order: string[] = [];
    const slow = renderer.compose(claimOf({ name: `${'a'.repeat(60)}!` })).finally(() => order.push('slow'));
    await expect(quick('team-b').finally(() => order.push('quick'))).resolves.toHaveProperty('rendered');
    const { problem } = await slow;
    expect(order).toEqual(['quick', 'slow']);
    expect(problem).toEqual({
      reason: 'TooSlow',
      message: 'the check of the spec by the schema (a pattern that backtracks, a very long list) took longer than 0.5 s, '
        + 'the limit of the definition (limits.seconds)',
    });
  });

  test('cannot be changed, by its own composition or another', async () => {
    const compose = "'use strict'; claim.spec.list.push(1);";
    expect(problemOf(await composed(compose, {}, { list: [] }))).toEqual(failure(expect.stringContaining('not extensible')));
  });
});

describe('compose that', () => {
  test.each<[string, string, unknown]>([
    ['never ends', 'for (;;);', { reason: 'TooSlow', message: 'compose took longer than 0.5 s, the limit of the definition (limits.seconds)' }],
    ['never ends in a promise', 'const again = () => Promise.resolve().then(again); again();', expect.objectContaining({ reason: 'TooSlow' })],
    ['waits on a lock', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);', expect.objectContaining({ reason: 'TooSlow' })],
    ['calls itself', 'const again = () => 1 + again(); again();', failure(expect.stringMatching(/^the stack is exhausted/))],
  ])('%s is stopped', async (_, compose, problem) => {
    expect(problemOf(await composed(compose, limits('seconds: 0.5')))).toEqual(problem);
  });

  test('fills the heap is stopped', async () => {
    const result = await composed('const all = []; for (;;) all.push(new Array(1000).fill(all.length));', limits('memoryMb: 64'));
    expect(problemOf(result)).toEqual({ reason: 'TooMuchMemory', message: 'compose took more than 64 MiB, the limit of the definition (limits.memoryMb)' });
  });

  test.each([
    'Buffer.alloc(1e7, 1)', 'Buffer.allocUnsafe(1e7)', 'new Uint8Array(1e7)', 'new Float64Array(1e6)', 'new ArrayBuffer(1e7)',
    'new Uint8Array(1e7).slice()', 'new SharedArrayBuffer(1e7)', "Buffer.from('x'.repeat(1e7))", 'Buffer.concat([Buffer.alloc(1e7)])',
  ])('keeps buffers made by %s is stopped, caught or not', async (allocate) => {
    const before = process.memoryUsage.rss();
    const compose = `const all = []; try { for (let i = 0; i < 400; i++) all.push(${allocate}); } catch { return; }`;
    expect(problemOf(await composed(compose, limits('memoryMb: 64')))).toMatchObject({ reason: 'TooMuchMemory' });
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(700);
  });

  test('makes buffers one after the other, and keeps none, is composed', async () => {
    await expect(composed('for (let i = 0; i < 60; i++) Buffer.alloc(1e7);', limits('memoryMb: 64'))).resolves.toHaveProperty('rendered');
  });

  test.each<[string, string, unknown]>([
    ['an error', "throw new TypeError('no luck')", 'no luck'],
    ['a text', "throw 'no luck'", 'no luck'],
    ['null', 'throw null', 'null was thrown, which is no error'],
    ['undefined', 'throw undefined', 'undefined was thrown, which is no error'],
    ['a function', 'throw () => 1', 'a function was thrown, which is no error'],
    ['an object', 'throw { code: 7 }', 'an object was thrown that is no error: {"code":7}'],
    ['an object whose accessors throw', "throw { get message() { throw new Error('again'); } }", 'an object was thrown that cannot be read'],
    ['a proxy', 'throw new Proxy({}, { get() { throw 1; }, ownKeys() { throw 1; } })', 'an object was thrown that cannot be read'],
    ['a symbol', "throw Symbol('s')", 'Symbol(s) was thrown, which is no error'],
    ['a long text', "throw new Error('x'.repeat(1e6))", expect.stringMatching(/^x{4000,4096}…$/)],
  ])('throws %s has a message', async (_, compose, message) => {
    expect(problemOf(await composed(compose))).toEqual(failure(message));
  });

  test('throws an object with accessors that never end is stopped', async () => {
    expect(problemOf(await composed('throw { get message() { for (;;); } };', limits('seconds: 0.3')))).toMatchObject({ reason: 'TooSlow' });
  });

  test.each<[string, string, string]>([
    ['a promise', 'return Promise.resolve({});', 'compose is asynchronous: it must build everything before it returns'],
    ['a text', "return 'done';", 'compose must return nothing, or an object with outputs, links and readiness'],
    ['an output that is a list', 'return { outputs: { a: [1] } };', 'outputs.a is neither a text, a number, a boolean nor a ComposedValue'],
    ['an output with a bad name', "return { outputs: { 'a b': 1 } };", "outputs: 'a b' is no name"],
    ['an output of a foreign object', "return { outputs: { a: ComposedValue.fromObject({}, 'self') } };", 'outputs.a names an object that compose did not build'],
    ['a link that runs code', "return { links: { a: 'javascript:alert(1)' } };", 'links.a is no address that begins with https://'],
    ['readiness of a foreign object', "return { readiness: [{ object: {}, cel: 'true' }] };", 'readiness names an object that compose did not build'],
    ['readiness without an expression', "return { readiness: [{ object: configMap(scope, 'a'), cel: 1 }] };", 'readiness: number is no CEL expression'],
    ['a huge output', "return { outputs: { a: 'x'.repeat(5000) } };", 'outputs.a has 5000 characters; 4096 is the limit'],
  ])('returns %s is refused', async (_, compose, message) => {
    expect(problemOf(await composed(compose))).toEqual(failure(expect.stringContaining(message)));
  });

  test('leaves a promise that is rejected is refused', async () => {
    expect(problemOf(await composed("Promise.reject(new Error('late'));"))).toEqual(failure('a promise that compose left was rejected: late'));
  });

  test.each([
    "fetch('http://169.254.169.254/')", 'setTimeout(() => 0, 1)', 'setInterval(() => 0, 1)', 'setImmediate(() => 0)', 'Math.random()',
    'crypto.randomUUID()', 'crypto.getRandomValues(new Uint8Array(1))', "require('crypto').randomBytes(4)", "require('node:crypto').randomUUID()",
    "require('fs').readFileSync('/etc/passwd')", "require('fs').promises.readFile('/etc/passwd')", "require('child_process').execSync('id')",
    "require('net').connect(80)", "require('http').get('http://a')", "require('worker_threads').postMessageToThread()", "require('os').hostname()",
    'process.exit(0)', 'process.kill(1)', "process.chdir('/')", "process.binding('fs')", "new Worker('')", "new WebSocket('ws://a')",
    "new Include(scope, 'i', { url: 'https://example.com/a.yaml' })", "new Include(scope, 'i', { url: '/etc/passwd' })",
  ])('calls %s is refused', async (call) => {
    expect(problemOf(await composed(`${call};`))).toEqual(failure(expect.stringMatching(/cannot be used: compose must give|is not a (function|constructor)|is not defined/)));
  });

  test('reads the environment, the clock and the platform gets the same everywhere', async () => {
    process.env.SECRET_OF_THE_PROCESS = 'secret';
    const compose = `return { outputs: {
      env: JSON.stringify(process.env), platform: process.platform, cwd: process.cwd(), now: performance.now(), uptime: process.uptime(),
      zone: new Date(2026, 0, 1).toISOString(), text: Date(), format: new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).format(),
      hash: require('crypto').createHash('sha256').update('a').digest('hex').slice(0, 4), path: require('path').join('a', 'b'),
      date: String(claim.createdAt.constructor === Date && new (class extends Date {})() instanceof Date),
    } };`;
    const { rendered } = await composed(compose);
    const outputs = Object.entries(rendered!.outputs);
    const values = Object.fromEntries(outputs.map(([name, output]) => [name, (output as { value: unknown }).value]));
    expect(values).toMatchObject({
      env: '{}',
      platform: 'linux',
      cwd: '/',
      now: 0,
      uptime: 0,
      zone: '2026-01-01T00:00:00.000Z',
      format: '1/2/2026',
      hash: 'ca97',
      path: 'a/b',
      date: 'true',
      text: expect.stringContaining('Fri Jan 02 2026 03:04:05'),
    });
  });
});

describe('two claims', () => {
  const counted = (code: string, module = '') => async () => {
    const renderer = boxOf({ compose: `${code} return { outputs: { count } };`, module });
    const counts: unknown[] = [];
    for (let i = 0; i < 3; i += 1) counts.push((await renderer.compose(claimOf())).rendered!.outputs.count);
    expect(counts).toEqual([{ value: 1 }, { value: 1 }, { value: 1 }]);
  };

  test('share no variable of a module', counted('count += 1;', 'let count = 0;'));
  test('share no global variable', counted('globalThis.count = (globalThis.count ?? 0) + 1; const { count } = globalThis;'));
  test('share no member of a prototype', counted('Array.prototype.count = ([].count ?? 0) + 1; const { count } = [];'));
  test('share no changed function', counted('const count = (Math.max.count ?? 0) + 1; const { max } = Math; Math.max = Object.assign((...n) => max(...n), { count });'));
  test('share no member of an error class', counted('Error.count = (Error.count ?? 0) + 1; const { count } = Error;'));
  test('share no member of the stand-in of process', counted('process.count = (process.count ?? 0) + 1; const { count } = process;'));

  test.each([
    "JSON.stringify = () => 'broken';", 'JSON.parse = () => 0;', 'Array.prototype.map = () => [];', 'Object.keys = undefined; Object.entries = undefined;',
    'Array.prototype[Symbol.iterator] = undefined;', "Reflect.ownKeys = () => { throw new Error('no'); };", 'Map.prototype.get = undefined;',
  ])('of which one breaks what all code shares (%s): the other is composed', async (breaks) => {
    const renderer = boxOf({ compose: `if (claim.spec.breaks) { ${breaks} }` });
    const { problem } = await renderer.compose(claimOf({ breaks: true }));
    if (problem) expect(problem.reason).toBe('ComposeFailed');
    await expect(renderer.compose(claimOf())).resolves.toMatchObject({ rendered: { objects: [] } });
  });

  test('that differ by module state of a package are found when a claim is composed twice', async () => {
    const compose = "const cdk8s = require('cdk8s'); cdk8s.count = (cdk8s.count ?? 0) + 1; configMap(scope, 'a', { data: { count: String(cdk8s.count) } });";
    const result = await boxOf({ compose }).compose(claimOf(), { twice: true });
    expect(problemOf(result)).toEqual({
      reason: 'NotDeterministic',
      message: 'team-a/orders/a was another object at the second time: the same claim must give the same objects',
    });
  });
});

describe('objects', () => {
  test.each<[string, string, unknown]>([
    [
      'of a kind that is not declared',
      "new ApiObject(scope, 'r', { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' });",
      {
        reason: 'KindNotDeclared',
        message: "team-a/orders/r is a ClusterRoleBinding of group 'rbac.authorization.k8s.io', which composes of the definition does not list: "
          + 'the composer has no rights for it',
      },
    ],
    [
      'of one name',
      "configMap(scope, 'a', { metadata: { name: 'n' } }); configMap(scope, 'b', { metadata: { name: 'n' } });",
      { reason: 'DuplicateObject', message: 'team-a/orders/a and team-a/orders/b are both ConfigMap team-a/n' },
    ],
    ['with a name of 300 characters', "configMap(scope, 'a', { metadata: { name: 'n'.repeat(300) } });", failure(expect.stringContaining('has 300 characters; 253 is the limit'))],
    ['with a name that is a path', "configMap(scope, 'a', { metadata: { name: '../secrets/x' } });", failure("'../secrets/x' is no name of an object")],
    ['in a namespace that is a path', "configMap(scope, 'a', { metadata: { namespace: '../x' } });", failure("'../x' is no name of a namespace")],
    ['without an apiVersion', "new ApiObject(scope, 'a', { kind: 'ConfigMap', apiVersion: 7 });", failure(expect.any(String))],
    ['that contain themselves', "const data = {}; data.data = data; configMap(scope, 'a', { data });", failure('the object contains itself, or is nested too deeply')],
    ['that wait for each other', "const [a, b] = ['a', 'b'].map((id) => configMap(scope, id)); a.node.addDependency(b); b.node.addDependency(a);", failure(expect.stringContaining('objects wait for each other: team-a/orders/a → team-a/orders/b'))],
    ['of 2 MB', "configMap(scope, 'a', { data: { text: 'x'.repeat(2e6) } });", { reason: 'TooLarge', message: 'the object team-a/orders/a has 2.0 MB; 1.5 MB is the limit' }],
    ['of 10 MB together', "for (let i = 0; i < 10; i++) configMap(scope, 'a' + i, { data: { text: 'x'.repeat(1e6) } });", { reason: 'TooLarge', message: expect.stringContaining('8.0 MB is the limit') }],
    ['whose values throw', "configMap(scope, 'a', { data: { x: Lazy.any({ produce: () => { throw new Error('late'); } }) } });", failure(expect.stringContaining('late'))],
  ])('%s are refused', async (_, compose, problem) => {
    expect(problemOf(await composed(compose))).toEqual(problem);
  });

  test('10,000 of them are refused before they are rendered', async () => {
    const data = "Lazy.any({ produce: () => { throw new Error('rendered'); } })";
    const result = await composed(`for (let i = 0; i < 10_000; i++) configMap(scope, 'a' + i, { data: ${data} });`);
    expect(problemOf(result)).toEqual({ reason: 'TooManyObjects', message: 'compose gave 10000 objects; 200 is the limit of the definition (limits.objects)' });
  });

  test('of another namespace are the definition\'s decision', async () => {
    await expect(composed("configMap(scope, 'a', { metadata: { namespace: 'elsewhere' } });")).resolves.toMatchObject({
      rendered: { objects: [{ manifest: { metadata: { namespace: 'elsewhere' } } }] },
    });
  });
});

test('the main thread answers while claims are stopped', async () => {
  const renderer = boxOf({ compose: 'for (;;);', ...limits('seconds: 0.5') });
  const order: string[] = [];
  const stopped = Promise.all(['a', 'b', 'c'].map((namespace) => renderer.compose(claimOf({}, { namespace })))).then(() => order.push('stopped'));
  // Two threads take the time of two of them.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  order.push('20 turns');
  await stopped;
  expect(order).toEqual(['20 turns', 'stopped']);
});
