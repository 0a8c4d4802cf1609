import type { Connection } from '../../engine/kubernetes';

/** The API server's answer to a refused request. */
export class ApiError extends Error {
  public constructor(public readonly status: number, message: string) {
    super(message);
  }
}

/** Requests as a test writes them: a method, a path, an object. */
export class Api {
  public constructor(private readonly connection: Pick<Connection, 'request'>) {}

  public async send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object, query: Record<string, string> = {}): Promise<any> {
    const { status, text } = await this.connection.request({
      method,
      path,
      query,
      ...(body && { body: JSON.stringify(body) }),
      ...(method === 'PATCH' && { contentType: query.fieldManager ? 'application/apply-patch+yaml' : 'application/merge-patch+json' }),
    });
    const answer = JSON.parse(text);
    if (status >= 400) throw new ApiError(status, answer.message ?? text);
    return answer;
  }

  /** Objects of all these collections. */
  public async list(...paths: readonly string[]): Promise<any[]> {
    return (await Promise.all(paths.map((path) => this.send('GET', path)))).flatMap(({ items }) => items);
  }

  /** Undefined: it is not there. */
  public async find(path: string): Promise<any> {
    return this.send('GET', path).catch((error: ApiError) => {
      if (error.status === 404) return undefined;
      throw error;
    });
  }
}
