/** The compression of snapshots: deflate with a shared dictionary, identified by its number. */
export const packingNumber = 1

/** Never change it: snapshots compressed with it would be unreadable. Add another one with a new number. */
const commonWords = [
  '{"gateway":{"state":"answers","why":null,"aheadS":0,"user":{"value":{"name":"","isStaff":false,"scopes":{},"groups":[]},"readAt":"2026-01-01T00:00:00.',
  '000Z"},"vehicle":{"value":{"id":0,"name":"","plate":"","groups":[],"imei":""},"readAt":""},"elsewhere":null,"stays":[{"imei":"","fromAt":"","untilAt":',
  'null}],"record":{"value":{"imei":"","simIds":[""],"raw":{}},"readAt":""},"sim":{"value":{"raw":{}},"readAt":""},"lines":{"value":{"values":{"IGN":fals',
  'e,"PWR":true,"IN1":false,"IN2":false,"IN3":false,"OUT1":false,"OUT2":false},"atMs":0,"raw":{}},"readAt":""},"engineBus":{"value":{"isDetected":false,"',
  'isEngineOn":false,"protocol":null,"firmware":null,"atMs":null,"raw":{}},"readAt":""},"distanceM":{"value":0,"readAt":""},"events":{"value":[{"eventAtM',
  's":0,"arrivedAtMs":0,"type":10,"label":null,"imei":"","vehicleId":0,"latitude":0,"longitude":0,"isPositionValid":true,"speedKmh":0,"headingDeg":0,"sat',
  'ellites":0,"hdop":0,"signalDbm":0,"raw":{}}],"readAt":""},"eventsSinceAt":null,"refused":{}},"readings":{"gps.position":{"problems":[],"readAt":"2026-',
  '01-01T00:00:00.000Z","elapsedMs":0,"failure":null,"value":{"coords":{"latitude":0,"longitude":0,"speed":0,"accuracy":0,"altitude":0,"bearing":0,"altit',
  'udeAccuracy":0},"timestamp":0,"extras":{"hdop":0,"vdop":0,"pdop":0,"fix":0,"satsActive":0,"criteria":"signal"}}},"eth.state":{"problems":[],"readAt":"',
  '2026-01-01T00:00:00.000Z","elapsedMs":0,"failure":null,"value":{"state":"Enabled","mac":"","connected":true,"ip":"","bcast":"","mask":"","rx_bytes":""',
  ',"tx_bytes":"","mac_address":"","ip_address":"","gateway":"","netmask":""}},"wifi.state":{"problems":[],"readAt":"2026-01-01T00:00:00.000Z","elapsedMs',
  '":0,"failure":null,"value":{"state":"Scanning","mac":"","connected":true,"ip":"","ssid":"","signal":"","key_mgmt":"None","mac_address":"","ip_address"',
  ':"","gateway":"","netmask":"","rx_bytes":"","tx_bytes":""}},"wifi.list":{"problems":[],"readAt":"2026-01-01T00:00:00.000Z","elapsedMs":0,"failure":nul',
  'l,"value":{"ssids":[]}},"hotspot.state":{"problems":[],"readAt":"2026-01-01T00:00:00.000Z","elapsedMs":0,"failure":null,"value":{"state":"Enabled","ss',
  'id":"","pass":"","routing":"Enabled"}},"hotspot.list":{"problems":[],"readAt":"2026-01-01T00:00:00.000Z","elapsedMs":0,"failure":null,"value":{"statio',
  'ns":[]}},"modem.information":{"problems":[],"readAt":"2026-01-01T00:00:00.000Z","elapsedMs":0,"failure":null,"value":{"MANUFACTURER":"","REVISION":"",',
  '"MODEL":"","IMEI":"","SIM_IMSI":"","SIM_STATE":"READY","SIM_ID":"","GSM_REG":"","GPRS_REG":"","RSSI":"","IP":"","RAT":"LTE","MCC_MNC":"","NO_CONN_TIME',
  '":"","BAND":"","OPERATOR":"","MODEM_STATE":"","eSIM_IMSI":"","eSIM_ID":"","eSIM_STATE":"","SIM_TYPE":"EXTERNAL"}},"modem.configuration":{"problems":[]',
  ',"readAt":"2026-01-01T00:00:00.000Z","elapsedMs":0,"failure":null,"value":{"APN":"","SIM_PRIORITY":"","SIM_SW_INTERVAL":"","KEEP_ALIVE":""}},"io.all":',
  '{"problems":[],"readAt":"2026-01-01T00:00:00.000Z","elapsedMs":0,"failure":null,"value":{"IGN":false,"TIG":false,"IN1":false,"IN2":false,"IN3":false,"',
  'IN4":false,"IN5":false,"IN6":false,"IN7":false,"PWR":true,"MOT":false,"OUT1":false,"OUT2":false,"OUT3":false,"OUT4":false,"SO1":false,"SO2":false,"SO3',
  '":false,"SO4":false,"AN1":0,"AN2":0,"DAN":0,"BAT":0}},"accel.state":{"problems":[],"readAt":"2026-01-01T00:00:00.000Z","elapsedMs":0,"failure":null,"v',
  'alue":{"MOTION":"","FW_VERSION":""}},"accel.configuration":{"problems":[],"readAt":"2026-01-01T00:00:00.000Z","elapsedMs":0,"failure":null,"value":{"M',
  'OTION_THRESHOLD":"","MOTION_DURATION":"","MOTION_BUFF_TIME_SIZE":"","CFG_FORWARD_COLLISION":"","CFG_BACKWARD_COLLISION":"","CFG_LAT_COLLISION_FROM_RIG',
  'HT":"","CFG_LAT_COLLISION_FROM_LEFT":"","CFG_HARSH_FWD_ACCELERATION":"","CFG_HARD_BRAKING":"","CFG_CORNERING_RIGHT":"","CFG_CORNERING_LEFT":""}},"apps',
  '.list":{"problems":[],"readAt":"2026-01-01T00:00:00.000Z","elapsedMs":0,"failure":null,"value":[{"name":"","version":"","status":"active","manifest":{',
  '"name":"","version":"","description":"","main":"index.js","scripts":{"start":"node index.js"},"keywords":[""],"author":"","license":"MIT","dependencie',
  's":{}},"hasReadme":false,"hasChangelog":false,"stable":""}]},"system.info":{"problems":[],"readAt":"2026-01-01T00:00:00.000Z","elapsedMs":0,"failure":',
  'null,"value":{"ram":{"total":0,"used":0,"free":0,"available":0},"cpu":{"currF":0,"usage":0,"governor":"interactive","stats":{}},"rootfs":{"total":0,"f',
  'ree":0},"datafs":{"total":0,"free":0},"uptime":0,"loadAvg":[0,0,0],"osVersion":"","releaseDate":"","sessionCount":0,"kernelVersion":"","netLink":{"nam',
  'e":"eth0","ip":""},"hostname":""}}}}'
].join('')

/** As in the file, line by line. */
export const packingDictionary = Buffer.from(JSON.stringify(JSON.parse(commonWords), null, 1), 'utf8')
