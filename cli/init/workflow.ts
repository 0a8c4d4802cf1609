import { venv } from './install';
import type { Language } from './options';
import { ownPackage } from '../app/own-package';

/** The file in which GitHub finds it. */
export const WORKFLOW = '.github/workflows/azure.yml';

/** A hidden line by which the workflow finds its comment again. */
const MARK = '<!-- cdk8s-aso -->';
const PYTHON = `
      - uses: actions/setup-python@v5
        with:
          python-version: '3.12'
          cache: pip`;

/** A workflow that comments on each pull request what it changes in Azure. It has no access to Azure, and needs none. */
export function workflow(language: Language, isCommitted: boolean): string {
  const venvOf = language === 'python' ? `python3 -m venv .venv && ${venv('pip')} install --quiet -r requirements.txt && ` : '';
  const install = `npm ci --no-audit --no-fund && ${venvOf}npm run synth`;
  const committed = `
      # A GitOps tool applies what is committed.
      - run: git diff --exit-code dist`;
  return `# Shows each pull request what it changes in Azure. It has no access to Azure.
name: azure
on:
  pull_request:
permissions:
  contents: read
  pull-requests: write
jobs:
  azure:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
        with:
          fetch-depth: 0
      - uses: actions/setup-node@v5
        with:
          node-version: 22
          cache: npm${language === 'python' ? PYTHON : ''}
      - run: ${install}
      - run: npm test
      - run: npm run check${isCommitted ? committed : ''}
      - name: What changes in Azure
        env:
          BASE: \${{ github.event.pull_request.base.sha }}
        run: |
          git worktree add ../base "$BASE"
          # Before the app was there, nothing was.
          if [ -f ../base/cdk8s.yaml ]; then
            (cd ../base && ${install})
            npx ${ownPackage().name} diff --output markdown ../base/dist dist > changes.md
          else
            npx ${ownPackage().name} plan --output markdown dist > changes.md
          fi
          { echo '${MARK}'; cat changes.md; } > comment.md
          cat changes.md >> "$GITHUB_STEP_SUMMARY"
      # A pull request from a fork may not comment: the summary of the run has it.
      - name: Comment
        if: github.event.pull_request.head.repo.full_name == github.repository
        env:
          GH_TOKEN: \${{ github.token }}
          COMMENTS: repos/\${{ github.repository }}/issues/\${{ github.event.number }}/comments
        run: |
          id=$(gh api --paginate "$COMMENTS" --jq '.[] | select(.body | startswith("${MARK}")) | .id' | head -n 1)
          if [ -n "$id" ]; then
            gh api --method PATCH "repos/\${GITHUB_REPOSITORY}/issues/comments/$id" --field body=@comment.md --silent
          else
            gh api "$COMMENTS" --field body=@comment.md --silent
          fi
`;
}
