import { FlagError } from '../../runtime/flag-error';
import { ListenError } from '../../runtime/http/http-endpoints';
import { runProgram, type Program } from '../../runtime/run-program';

interface Flags { readonly verbosity: number; readonly json: boolean }
class OwnError extends Error {}

const { argv, exitCode } = process;
let output: string;
let errors: string;

beforeEach(() => {
  jest.useFakeTimers();
  [output, errors] = ['', ''];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((output += String(text)), true));
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => ((errors += String(text)), true));
});

afterEach(() => {
  jest.restoreAllMocks();
  jest.clearAllTimers();
  jest.useRealTimers();
  process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
  [process.argv, process.exitCode] = [argv, exitCode];
});

/** The exit status of a program whose flags are `--help`, `--version`, or none. */
async function statusOf(args: readonly string[], run: Program<Flags>['run'] = async () => undefined) {
  process.argv = ['node', 'main.js', ...args];
  await runProgram<Flags>({
    name: 'example',
    help: 'Usage: cdk8s-aso-example\n',
    readFlags: ([flag]) => {
      if (flag === undefined) return { verbosity: 2, json: true };
      if (flag === '--help' || flag === '--version') return flag === '--help' ? 'help' : 'version';
      throw new FlagError(`unknown flag ${flag}`);
    },
    explainedErrors: [OwnError],
    run,
  });
  return process.exitCode;
}

test('--help, --version and an unknown flag', async () => {
  expect(await statusOf(['--help'])).toBe(0);
  expect(await statusOf(['--version'])).toBe(0);
  // The sources are one folder higher than the bundles.
  expect([output, errors]).toEqual(['Usage: cdk8s-aso-example\ndev\n', '']);
  expect(await statusOf(['--halp'])).toBe(1);
  expect(errors).toBe('cdk8s-aso-example: unknown flag --halp; see --help\n');
});

test.each([new OwnError('no settings'), new ListenError('--metrics-addr', ':1', 'in use')])('%s: its message, and no stack', async (error) => {
  expect(await statusOf([], async () => Promise.reject(error))).toBe(1);
  expect(errors.split('\n').slice(1)).toEqual([`cdk8s-aso-example: ${error.message}`, '']);
});

test('another error is logged whole', async () => {
  expect(await statusOf([], async () => Promise.reject(new TypeError('undefined is not a function')))).toBe(1);
  expect(JSON.parse(errors.split('\n')[1]!)).toMatchObject({ level: 'fatal', msg: 'the example ended', err: { type: 'TypeError' } });
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops the program, which ends with status 0', async (signal) => {
  const status = statusOf([], (_, { stop }) => new Promise((resolve) => stop.addEventListener('abort', () => resolve())));
  process.emit(signal);
  expect(await status).toBe(0);
});

test('a program that does not end by itself ends with status 1 before its grace period is over', async () => {
  const exit = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  void statusOf([], () => new Promise(() => undefined));
  process.emit('SIGTERM');
  jest.advanceTimersByTime(17_999);
  expect(exit).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(exit).toHaveBeenCalledWith(1);
  expect(errors).toContain('the process has not ended 18 s after the signal; it ends now');
});
