import { KubernetesError } from '../../../engine/kubernetes';
import type { Random } from '../../simulation/random';

/** The process is killed: nothing that it knows is left. */
export class KilledError extends Error {}

/** The troubles of each request of the composer. */
export class Mortal {
  private isDead = false;

  public constructor(private readonly random: Random, private readonly meanwhile: () => void, private readonly isQuiet: () => boolean) {}

  /** Before the API server gets the request. */
  public before(): void {
    if (this.isDead) throw new KilledError();
    if (this.isQuiet()) return;
    if (this.random.chance(0.3)) this.meanwhile();
    if (this.random.chance(0.04)) this.die();
    if (this.random.chance(0.03)) throw new KubernetesError(409, 'Conflict', 'somebody was faster');
    if (this.random.chance(0.02)) throw new KubernetesError(503, 'ServiceUnavailable', 'the API server starts');
  }

  /** After it has carried it out. */
  public after(): void {
    if (this.isQuiet()) return;
    if (this.random.chance(0.04)) this.die();
    if (this.random.chance(0.03)) throw new KubernetesError(0, 'ECONNRESET', 'no answer');
  }

  private die(): never {
    this.isDead = true;
    throw new KilledError();
  }
}
