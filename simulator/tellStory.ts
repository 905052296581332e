import type { FaultStory, GatewayTrouble, VehicleTrouble } from './faultStories.ts'
import type { SimulatedDevice, SimulatedGateway } from './simulation.ts'

export interface Scene {
  device: Pick<SimulatedDevice, 'imei' | 'vehicle' | 'setFault' | 'faults'>
  gateway: SimulatedGateway
}

/** Applies a fault story to device and gateway; returns the function that ends it. */
export function tellStory(story: FaultStory, scene: Scene): () => void {
  const { device } = scene
  for (const name of story.device ?? []) device.setFault(name, true)
  const undo = [
    ...(story.vehicle ?? []).map((trouble) => troubleVehicle(trouble, device.vehicle)),
    ...(story.gateway ?? []).map((trouble) => troubleGateway(trouble, scene))
  ]
  return () => {
    for (const name of story.device ?? []) device.setFault(name, false)
    for (const end of undo) end()
  }
}

function troubleVehicle(trouble: VehicleTrouble, vehicle: SimulatedDevice['vehicle']): () => void {
  const { accessories, bus } = vehicle
  switch (trouble) {
    case 'charging24':
      vehicle.setSystemVolts(24)
      vehicle.setCharger(true)
      return () => {
        vehicle.setSystemVolts(12)
        vehicle.setCharger(false)
      }
    case 'drives':
      vehicle.playStory('drive')
      return () => vehicle.playStory('parked')
    case 'engineRuns':
      vehicle.playStory('parked')
      vehicle.turnKey('crank')
      return () => vehicle.turnKey('off')
    case 'busSilent':
      bus.silence(true)
      return () => bus.silence(false)
    case 'tyresSwapped':
      accessories.swapTyres(16, 19)
      return () => accessories.swapTyres(16, 19)
    case 'cameraCovered':
      accessories.coverCamera(0, true)
      return () => accessories.coverCamera(0, false)
    case 'cameraSilent':
      accessories.failCamera(0, 5)
      return () => accessories.failCamera(0, null)
    case 'probeUnplugged':
      accessories.setProbe('a', null)
      return () => accessories.setProbe('a', { celsius: 0 })
    case 'tagLost':
      accessories.loseTag(fittedTag)
      return () => accessories.hearTag(fittedTag)
  }
}

const fittedTag = 'A4C138001122'

function troubleGateway(trouble: GatewayTrouble, { device, gateway }: Scene): () => void {
  const { vehicles } = gateway.state
  const own = vehicles.find((vehicle) => String(vehicle.device) === device.imei)
  switch (trouble) {
    case 'away':
      gateway.setOnline(false)
      return () => gateway.setOnline(true)
    case 'portal':
      gateway.setFault({ html: true })
      return () => gateway.setFault(null)
    case 'blocked':
      gateway.setFault({ front: 'challenge' })
      return () => gateway.setFault(null)
    case 'maintenance':
      gateway.setFault({ front: 'maintenance' })
      return () => gateway.setFault(null)
    case 'vehicleTaken': {
      const other = vehicles.find((vehicle) => vehicle.device !== null && vehicle !== own)
      if (!own || !other) throw new Error('no vehicle to be taken')
      const [mine, theirs] = [own.device, other.device]
      own.device = theirs
      other.device = null
      return () => Object.assign(own, { device: mine }) && Object.assign(other, { device: theirs })
    }
    case 'vehicleWrong': {
      const other = vehicles.find((vehicle) => vehicle.device === null)
      if (!own || !other) throw new Error('no other vehicle')
      other.device = own.device
      own.device = null
      return () => {
        own.device = other.device
        other.device = null
      }
    }
    case 'vehicleMissing': {
      if (!own) throw new Error('no vehicle to be missing')
      const { name, info } = own
      Object.assign(own, { name: 'Not assigned yet', info: {} })
      return () => Object.assign(own, { name, info })
    }
  }
}
