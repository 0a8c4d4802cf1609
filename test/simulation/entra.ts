import type { Faults } from './faults';
import type { Process } from './process';
import type { Random } from './random';

/** As a token tells it: for whom it is, and what was shown for it. */
export interface Principal {
  readonly clientId: string;
  readonly secret: string;
}

interface EntraOptions {
  readonly process: Process;
  readonly random: Random;
  readonly faults: Faults;
}

const FAR = Date.parse('2100-01-01T00:00:00Z');
const PREFIX = 'Bearer ';

/** Entra, in the place of the identity library: gives a token to each client, and leaves it to Azure whether it takes it. */
export function entra({ process, random, faults }: EntraOptions): () => Promise<never> {
  class ClientSecretCredential {
    public constructor(_tenantId: string, private readonly clientId: string, private readonly secret: string) {}

    public async getToken(): Promise<object> {
      await process.goesOn();
      await process.sleep(random.between(5, 100));
      if (faults.strikes('armLost', 0.02)) throw new Error('connect ECONNREFUSED');
      const principal: Principal = { clientId: this.clientId, secret: this.secret };
      return { token: Buffer.from(JSON.stringify(principal)).toString('base64'), expiresOnTimestamp: FAR };
    }
  }
  return () => Promise.resolve({ ClientSecretCredential } as never);
}

/** The principal whose token a request carries. */
export function principalOf(authorization: string | undefined): Principal | undefined {
  if (!authorization?.startsWith(PREFIX)) return undefined;
  return JSON.parse(Buffer.from(authorization.slice(PREFIX.length), 'base64').toString()) as Principal;
}
