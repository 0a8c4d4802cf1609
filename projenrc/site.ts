import { github, type cdk } from 'projen';
import { INSTALL, READ_ONLY, RUNNER, withNode } from './jobs';

const { JobPermission } = github.workflows;

/** projen has no references to the actions of GitHub Pages. v4.0.0 and v4.0.5; the commits are the tags'. */
const UPLOAD_PAGES = 'actions/upload-pages-artifact@7b1f4a764d45c48632c6b24a0339c27f5614fb0b';
const DEPLOY_PAGES = 'actions/deploy-pages@d6db90164ac5ed86f2b6aed7e0febac5b3c0c03e';

/** The site of the documents (`site/`): its build, its tests in a browser, and the workflow that publishes it. */
export function buildSite(project: cdk.JsiiProject): void {
  // The index of the search is VitePress's, which minisearch reads and writes.
  project.addDevDeps('vitepress@^1.6.4', 'minisearch@^7.2.0', 'playwright-core@^1.65.1');
  project.gitignore.exclude('/site/dist/');

  const build = project.addTask('docs:site', {
    description: 'Build the site of the documents into site/dist; needs what make has written',
    exec: 'vitepress build site',
  });
  project.addTask('docs:dev', { description: 'Serve the documents on this machine, with every change', exec: 'vitepress dev site' });
  const test = project.addTask('test:site', { description: 'Build the site, check its links, and open it in Chromium' });
  test.spawn(build);
  test.exec('jest test/site', { receiveArgs: true });

  publishOnPages(project);
}

/** GitHub Pages, as the repository's settings name it: the source is a workflow, the environment is `github-pages`. */
function publishOnPages(project: cdk.JsiiProject): void {
  const pages = project.github!.addWorkflow('pages');
  pages.on({ push: { branches: ['main'] }, workflowDispatch: {} });
  pages.file!.addOverride('concurrency', { 'group': 'pages', 'cancel-in-progress': false });
  pages.addJobs({
    build: {
      runsOn: RUNNER,
      permissions: READ_ONLY,
      timeoutMinutes: 30,
      steps: [
        ...withNode(),
        INSTALL,
        { name: 'Write the API pages', run: 'npx projen make' },
        { name: 'Build and test the site', run: 'npx projen test:site' },
        { name: 'Upload the site', uses: UPLOAD_PAGES, with: { path: 'site/dist' } },
      ],
    },
    deploy: {
      needs: ['build'],
      runsOn: RUNNER,
      // The right to publish the site, and to prove where it was built.
      permissions: { pages: JobPermission.WRITE, idToken: JobPermission.WRITE },
      environment: { name: 'github-pages', url: '${{ steps.deploy.outputs.page_url }}' },
      timeoutMinutes: 10,
      steps: [{ name: 'Deploy', id: 'deploy', uses: DEPLOY_PAGES }],
    },
  });
}
