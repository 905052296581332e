/** Code whose every change has to be noticed, and the tests that have to notice it. */
export interface MutantGroup {
  mutate: string[]
  tests: string[]
}

export const mutantGroups: Record<string, MutantGroup> = {
  seal: {
    mutate: ['main/store/jobs/{seal,sealedFields,strictBase64}.ts'],
    tests: ['test/unit/reports/{seal,sealed,sealedFields,forgeries}.test.ts']
  },
  signature: {
    mutate: ['main/store/jobs/signature.ts'],
    tests: ['test/unit/reports/{signature,sealed,forgeries}.test.ts']
  },
  verify: {
    mutate: ['main/reports/{checkReport,rewrittenFile,verify}.ts'],
    tests: ['test/unit/reports/{json,sealed,forgeries,verifyFindings,rewrittenFile,anyBytes}.test.ts']
  },
  rateLimit: { mutate: ['main/gateway/transport/rateLimit.ts'], tests: ['test/unit/gateway/rateLimit*.test.ts'] },
  discovery: {
    mutate: ['main/discovery/{recordCache,sameDevice,sighting,table}.ts'],
    tests: ['test/unit/discovery/{recordCache,sameDevice,table,tableRules,changes,querier}.test.ts']
  },
  session: { mutate: ['main/gateway/transport/session.ts'], tests: ['test/unit/gateway/session*.test.ts'] },
  operations: {
    mutate: ['main/operations/{drafts,live,moves,parts,pass,readBack,rows,send,transitions}.ts'],
    tests: ['test/unit/operations/{rules,rulesOfTrouble,order,dependencies,live,states,transitions}.test.ts']
  },
  redaction: { mutate: ['main/secrets/redact.ts'], tests: ['test/unit/secrets/{redact,redactLimits}.test.ts'] },
  outputs: {
    mutate: ['main/outputs/{interlock,conditions,machine,limits}.ts'],
    tests: ['test/unit/outputs/{interlock,conditions,machine,limits}.test.ts']
  },
  outputSwitching: {
    mutate: ['main/outputs/{askOff,awaitOff,bringOff,controller,deviceOutputs,provedReading,switchOn,watchOn}.ts'],
    tests: ['test/unit/outputs/{controller,deviceSequences,outputs,switching,whatMayBeOn}.test.ts']
  },
  outputsAtGateway: {
    mutate: ['main/outputs/{gatewayCommand,gatewayConditions,gatewayController,openEntries,outputs}.ts'],
    tests: [
      'test/unit/outputs/{gatewayCommand,gatewayCommandFollowed,gatewayConditions,gatewayController,gatewaySequences,offByTime,outputLedger,outputs}.test.ts'
    ]
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
  },
  quantities: { mutate: ['preload/messages/quantities.ts'], tests: ['test/unit/messages/quantities.test.ts'] },
  placeFacts: { mutate: ['main/diagnosis/facts/placeFacts.ts'], tests: ['test/unit/diagnosis/placeFacts.test.ts'] },
  teamBackground: {
    mutate: ['main/team/background.ts', 'main/team/push/{lane,pace}.ts', 'main/team/holding/takings.ts'],
    tests: ['test/unit/team/{background,lane,pace,takings}.test.ts']
  },
  teamPush: {
    mutate: ['main/team/push/{push,sendParts}.ts'],
    tests: ['test/unit/team/{push,pushOneJob,sendParts}.test.ts']
  },
  teamHolding: {
    mutate: ['main/team/holding/{handOver,pull,takeOver}.ts'],
    tests: ['test/unit/team/{handOver,pull,pullLost,takeOver}.test.ts']
  },
  diagnosisLinks: { mutate: ['main/diagnosis/links/*.ts'], tests: ['test/unit/diagnosis/{chain,links}.test.ts'] }
}
