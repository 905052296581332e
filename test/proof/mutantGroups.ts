/** Code whose every change has to be noticed, and the tests that have to notice it. */
export interface MutantGroup {
  mutate: string[]
  tests: string[]
}

export const mutantGroups: Record<string, MutantGroup> = {
  seal: {
    mutate: ['main/data/store/jobs/{seal,sealedFields,strictBase64}.ts'],
    tests: ['test/job/unit/reports/{seal,sealed,sealedFields,forgeries}.test.ts']
  },
  signature: {
    mutate: ['main/data/store/jobs/signature.ts'],
    tests: ['test/job/unit/reports/{signature,sealed,forgeries}.test.ts']
  },
  verify: {
    mutate: ['main/job/reports/{checkReport,rewrittenFile,verify}.ts'],
    tests: ['test/job/unit/reports/{json,sealed,forgeries,verifyFindings,rewrittenFile,anyBytes}.test.ts']
  },
  rateLimit: {
    mutate: ['main/gateway/client/transport/rateLimit.ts'],
    tests: ['test/gateway/unit/client/rateLimit*.test.ts']
  },
  discovery: {
    mutate: ['main/device/discovery/{recordCache,sameDevice,sighting,table}.ts'],
    tests: ['test/device/unit/discovery/{recordCache,sameDevice,table,tableRules,changes,querier}.test.ts']
  },
  session: {
    mutate: ['main/gateway/client/transport/session.ts'],
    tests: ['test/gateway/unit/client/session*.test.ts']
  },
  operations: {
    mutate: ['main/gateway/waitingWork/{drafts,live,moves,parts,pass,readBack,rows,send,transitions}.ts'],
    tests: ['test/gateway/unit/waitingWork/{rules,rulesOfTrouble,order,dependencies,live,states,transitions}.test.ts']
  },
  redaction: {
    mutate: ['main/base/secrets/redact.ts'],
    tests: ['test/base/unit/secrets/{redact,redactLimits}.test.ts']
  },
  outputs: {
    mutate: ['main/job/outputs/{interlock,conditions,machine,limits}.ts'],
    tests: ['test/job/unit/outputs/{interlock,conditions,machine,limits}.test.ts']
  },
  outputSwitching: {
    mutate: ['main/job/outputs/{askOff,awaitOff,bringOff,controller,deviceOutputs,provedReading,switchOn,watchOn}.ts'],
    tests: ['test/job/unit/outputs/{controller,deviceSequences,outputs,switching,whatMayBeOn}.test.ts']
  },
  outputsAtGateway: {
    mutate: ['main/job/outputs/{gatewayCommand,gatewayConditions,gatewayController,openEntries,outputs}.ts'],
    tests: [
      'test/job/unit/outputs/{gatewayCommand,gatewayCommandFollowed,gatewayConditions,gatewayController,gatewaySequences,offByTime,outputLedger,outputs}.test.ts'
    ]
  },
  checksPower: {
    mutate: ['main/job/jobs/checks/{externalPower,ignition}.ts'],
    tests: ['test/job/unit/jobs/checks/{externalPower,ignition}.test.ts']
  },
  checksPlace: {
    mutate: ['main/job/jobs/checks/{position,samePlace,delivered}.ts'],
    tests: ['test/job/unit/jobs/checks/{position,samePlace,delivered}.test.ts']
  },
  checksWork: {
    mutate: ['main/job/jobs/checks/{inputs,inputLines,identity,network}.ts'],
    tests: ['test/job/unit/jobs/checks/{inputs,identityCheck,network}.test.ts']
  },
  quantities: {
    mutate: ['preload/base/messages/quantities.ts'],
    tests: ['test/base/unit/messages/quantities.test.ts']
  },
  placeFacts: {
    mutate: ['main/support/diagnosis/facts/placeFacts.ts'],
    tests: ['test/support/unit/diagnosis/placeFacts.test.ts']
  },
  teamBackground: {
    mutate: ['main/team/background.ts', 'main/team/push/{lane,pace}.ts', 'main/team/holding/takings.ts'],
    tests: ['test/team/unit/{background,lane,pace,takings}.test.ts']
  },
  teamPush: {
    mutate: ['main/team/push/{push,sendParts}.ts'],
    tests: ['test/team/unit/{push,pushOneJob,sendParts}.test.ts']
  },
  teamHolding: {
    mutate: ['main/team/holding/{handOver,pull,takeOver}.ts'],
    tests: ['test/team/unit/{handOver,pull,pullLost,takeOver}.test.ts']
  },
  diagnosisLinks: {
    mutate: ['main/support/diagnosis/links/*.ts'],
    tests: ['test/support/unit/diagnosis/{chain,links}.test.ts']
  }
}
