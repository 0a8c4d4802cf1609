#!/usr/bin/env node
// Prints the directory that holds etcd, kube-apiserver and kube-controller-manager: KUBEBUILDER_ASSETS if it is set, else the cache, into
// which they are built once, with Go, from the modules of test/e2e/kubernetes-build (their sums are in git, so the build is verified).
//
//   node scripts/real-kubernetes.mjs            builds what the cache lacks (ten minutes or more)
//   node scripts/real-kubernetes.mjs --cached   builds nothing
//
// Exit status: 0 with the directory on the standard output; 3 when there are no such programs (a line on the standard error says why; tests
// that need them are skipped); 1 when KUBEBUILDER_ASSETS names a directory without them; 2 for a wrong command line.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildsNothing, exit, programsDirectory } from './go-build/cached-programs.mjs';

const say = (line) => process.stderr.write(`real-kubernetes: ${line}\n`);

const MODULE = join(dirname(fileURLToPath(import.meta.url)), '..', 'test', 'e2e', 'kubernetes-build');
const [, version, minor] = /k8s\.io\/kubernetes v(1\.(\d+)\.\S+)/.exec(readFileSync(join(MODULE, 'go.mod'), 'utf8'))
  ?? exit(1, `${join(MODULE, 'go.mod')} does not require k8s.io/kubernetes`, say);

const component = 'k8s.io/component-base/version';
// `kubectl version` asks for these; without them the server calls itself v0.0.0-master.
const VERSION_FLAGS = [`-X ${component}.gitVersion=v${version}`, `-X ${component}.gitMajor=1`, `-X ${component}.gitMinor=${minor}`];
const PROGRAMS = [
  { name: 'etcd', source: 'go.etcd.io/etcd/server/v3', flags: [] },
  { name: 'kube-apiserver', source: 'k8s.io/kubernetes/cmd/kube-apiserver', flags: VERSION_FLAGS },
  { name: 'kube-controller-manager', source: 'k8s.io/kubernetes/cmd/kube-controller-manager', flags: VERSION_FLAGS },
];
// The published archive for KUBEBUILDER_ASSETS has no controller manager.
const NEEDED = ['etcd', 'kube-apiserver'];

/** The directory that the user has chosen, if any. */
function chosen() {
  const assets = process.env.KUBEBUILDER_ASSETS;
  if (!assets) return undefined;
  const missing = NEEDED.filter((name) => !existsSync(join(assets, name)));
  if (missing.length > 0) exit(1, `KUBEBUILDER_ASSETS is ${assets}, but there is no ${missing.join(' and no ')} in it: name a directory with both, or unset it`, say);
  return assets;
}

buildsNothing(say);
const build = { name: `kubernetes-${version}`, title: `Kubernetes ${version}`, module: MODULE, programs: PROGRAMS, sources: [], say };
const directory = chosen() ?? (await programsDirectory(build, 'node scripts/real-kubernetes.mjs', 'no real Kubernetes'));
process.stdout.write(`${directory}\n`);
