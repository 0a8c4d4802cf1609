import { request } from 'node:https';

/** A token of a simulator on this machine, which gives one to any client. */
export function simulatorToken(endpoint: string): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'accept', client_secret: 'accept', scope: `${endpoint}/.default` });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return new Promise((resolve, reject) => {
    const sent = request(`${endpoint}/accept/oauth2/v2.0/token`, { method: 'POST', headers, rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const token = /"access_token":\s*"([^"]+)"/.exec(text)?.[1];
        if (token === undefined) reject(new Error(`the simulator gives no token (${response.statusCode})`));
        else resolve(token);
      });
    });
    sent.on('error', reject);
    sent.end(form.toString());
  });
}
