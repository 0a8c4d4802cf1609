import { spawn } from 'node:child_process';

/** Runs Go in a module's directory. Rejects with the last line that it said. */
export function go(args, module, onPackage = () => {}) {
  return new Promise((resolve, reject) => {
    // No workspace or vendor directory around us may change what is built.
    const env = { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=readonly -buildvcs=false' };
    const child = spawn('go', args, { cwd: module, env, stdio: ['ignore', 'ignore', 'pipe'] });
    const killChild = () => child.kill('SIGTERM');
    process.once('exit', killChild);
    let rest = '';
    let last = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        // `go build -v` names the packages that it compiles.
        if (/^[\w.\-/]+$/.test(line)) onPackage(line);
        else if (line.trim() && !line.startsWith('#')) last = line.trim();
      }
    });
    child.once('error', (error) => reject(error.code === 'ENOENT' ? new Error('Go is not installed (no go on the PATH)') : error));
    child.once('close', (code) => {
      process.removeListener('exit', killChild);
      if (code === 0) resolve();
      else reject(new Error(`go ${args[0]} failed: ${rest.trim() || last || `status ${code}`}`));
    });
  });
}
