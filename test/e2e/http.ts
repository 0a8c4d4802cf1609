import { request as overHttp } from 'node:http';
import { request as overTls } from 'node:https';

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** GET of a document in JSON; `ca` is the PEM of the authority that is trusted. */
export async function getJson(url: string, ca?: string): Promise<any> {
  return JSON.parse((await get(url, ca)).text);
}

/** Whether a server answers 200. */
export function isOk(url: string, ca?: string): Promise<boolean> {
  return get(url, ca).then(({ status }) => status === 200, () => false);
}

function get(url: string, ca?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = (url.startsWith('https:') ? overTls : overHttp)(url, { ca, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    call.on('error', reject);
    call.end();
  });
}
