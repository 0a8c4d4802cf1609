import { definitionsOf, loadBundle, type Evaluate, type Externals } from './bundle';
import { composeClaim, problemOf, type Thread } from './compose-claim';
import { convertedSpec } from './convert-specs';
import { factsOf } from '../../definition/facts-of';
import { messageOf } from '../../message-of';
import type { ComposeJob, ConvertJob, ThreadJobs } from '../jobs';

type Input<Name extends keyof ThreadJobs> = ThreadJobs[Name]['input'];
type Output<Name extends keyof ThreadJobs> = ThreadJobs[Name]['output'];

/** The bundle cannot be used. `Renderer` knows the error by its name. */
export class BundleError extends Error {
  public constructor(cause: unknown) {
    super(messageOf(cause));
    this.name = 'BundleError';
  }
}

/** The jobs of a thread for one bundle. The bundle is compiled with the first job, so that the deadline holds for it. */
export class Jobs {
  private compiled: Evaluate | undefined;

  public constructor(
    private readonly bundleFile: string,
    private readonly externals: Externals,
    /** Variables of the bundle's code. */
    private readonly given: Readonly<Record<string, unknown>>,
    private readonly context: Pick<Thread, 'clock' | 'globals' | 'logs' | 'report'>,
  ) {}

  public run(name: string, input: unknown): unknown {
    this.context.logs.length = 0;
    this.context.report('load');
    switch (name as keyof ThreadJobs) {
      case 'describe':
        return this.describe();
      case 'compose':
        return this.compose(input as ComposeJob);
      case 'convert':
        return this.convert(input as ConvertJob);
      default:
        throw new Error(`there is no job ${name}`);
    }
  }

  private describe(): Output<'describe'> {
    return orBundleError(() => factsOf(definitionsOf(this.evaluate)));
  }

  private compose(job: Input<'compose'>): Omit<Output<'compose'>, 'tookMs'> {
    const evaluate = orBundleError(() => this.evaluate);
    return composeClaim({ ...this.context, externals: this.externals, evaluate }, job);
  }

  private convert({ group, kind, from, to, specs }: Input<'convert'>): Output<'convert'> {
    const definition = orBundleError(() => definitionsOf(this.evaluate)).find((one) => one.group === group && one.kind === kind);
    if (!definition) throw new BundleError(`the bundle has no definition of ${kind} in group ${group}`);
    this.context.clock.now = 0;
    this.context.report('convert');
    return (JSON.parse(specs) as readonly unknown[]).map((spec) => {
      try {
        return { spec: convertedSpec(definition, from, to, spec) };
      } catch (error) {
        return { problem: problemOf(error) };
      }
    });
  }

  private get evaluate(): Evaluate {
    return (this.compiled ??= loadBundle(this.bundleFile, this.externals.versions, this.given));
  }
}

function orBundleError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new BundleError(error);
  }
}
