/** Code whose every change has to be noticed, and the tests that have to notice it. */
export interface MutantGroup {
  mutate: string[]
  tests: string[]
}

export const mutantGroups: Record<string, MutantGroup> = {
  seal: { mutate: ['main/store/seal.ts'], tests: ['test/unit/reports/seal.test.ts'] },
  rateLimit: { mutate: ['main/gateway/rateLimit.ts'], tests: ['test/unit/gateway/rateLimit*.test.ts'] },
  discovery: { mutate: ['main/discovery/recordCache.ts', 'main/discovery/table.ts'], tests: ['test/unit/discovery/{recordCache,table,tableRules,changes,querier}.test.ts'] },
  session: { mutate: ['main/gateway/session.ts'], tests: ['test/unit/gateway/session*.test.ts'] },
  operations: { mutate: ['main/operations/{attempts,dependencies,drafts,failures,live,moves,order,pass,patience,readBack,replies,send,states,transitions}.ts'], tests: ['test/unit/operations/{rules,order,dependencies,live,states,transitions}.test.ts'] },
  redaction: { mutate: ['main/secrets/redact.ts'], tests: ['test/unit/secrets/{redact,redactLimits}.test.ts'] },
  outputs: {
    mutate: ['main/outputs/{interlock,conditions,machine,limits}.ts'],
    tests: ['test/unit/outputs/{interlock,conditions,machine,limits}.test.ts']
  },
  checksPower: {
    mutate: ['main/jobs/checks/{externalPower,ignition}.ts'],
    tests: ['test/unit/jobs/{externalPower,ignition}.test.ts']
  },
  checksPlace: {
    mutate: ['main/jobs/checks/{position,samePlace,delivered}.ts'],
    tests: ['test/unit/jobs/{position,samePlace,delivered}.test.ts']
  },
  checksWork: {
    mutate: ['main/jobs/checks/{inputs,inputLines,identity,network}.ts'],
    tests: ['test/unit/jobs/{inputs,identityCheck,network}.test.ts']
  }
}
