const { existsSync } = require('node:fs');
const path = require('node:path');

const common = {
  testEnvironment: 'node',
  // files that no test loads count as not covered, so the sources are listed too
  roots: ['lib', 'cli', 'fake-server', 'operator', 'examples', 'test', 'tools']
    .map((folder) => path.join(__dirname, folder))
    .filter((folder) => existsSync(folder)),
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.test.json', transpilation: true, diagnostics: false }] },
  // examples import the package by its name, as their users do
  moduleNameMapper: {
    '^cdk8s-inferno$': '<rootDir>/lib/index.ts',
    '^cdk8s-inferno/composition$': '<rootDir>/lib/authoring.ts',
    '^cdk8s-inferno/install$': '<rootDir>/lib/install/index.ts',
    '^cdk8s-inferno/l1$': '<rootDir>/imports/inference.inferno.io.ts',
    '^cdk8s-inferno/operator$': '<rootDir>/operator/index.ts',
  },
};
/** @type {import('jest').Config} */
module.exports = {
  collectCoverageFrom: ['{lib,cli,fake-server,operator}/**/*.ts', '!**/*.d.ts', '!cli/main.ts', '!fake-server/main.ts'],
  coverageProvider: 'babel',
  projects: [
    {
      ...common,
      displayName: 'unit',
      testPathIgnorePatterns: [
        '/node_modules/',
        '<rootDir>/(tools/local-cluster/(images|node/runtime)|test/(integration|parity|faults|package|e2e))/',
      ],
    },
    {
      ...common,
      displayName: 'integration',
      globalSetup: '<rootDir>/tools/local-cluster/prepare.ts',
      testMatch: [
        '<rootDir>/test/{integration,parity,faults}/**/*.test.ts',
        '<rootDir>/tools/local-cluster/{images,node/runtime}/**/*.test.ts',
      ],
    },
    {
      ...common,
      displayName: 'package',
      testMatch: ['<rootDir>/test/package/**/*.test.ts'],
    },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
    },
  ],
};
