#include "dem/energy_balance.hpp"

namespace abut {

void EnergyBalance::add_step(std::span<const ContactEnergy> chunks) {
  ContactEnergy sum;
  for (const ContactEnergy& energy : chunks) sum += energy;
  totals_.elastic = sum.normal_energy + sum.tangential_energy;
  totals_.dissipated += sum.dissipated - (sum.tangential_energy - tangential_energy_);
  tangential_energy_ = sum.tangential_energy;
}

Energy EnergyBalance::energy(const Particles& particles, const Vec4& gravity,
                             const Vec4& period) const {
  Energy sum = totals_;
  for (std::size_t i = particles.fixed_count(); i < particles.size(); ++i) {
    Vec4 x = particles.position()[i];
    if (!particles.image().empty()) {
      const PeriodCounts& image = particles.image()[i];
      x = {x.x + image[0] * period.x, x.y + image[1] * period.y, x.z + image[2] * period.z, 0};
    }
    const Vec4& v = particles.velocity()[i];
    const Vec4& w = particles.angular_velocity()[i];
    const double mass = 1 / v.w;
    sum.kinetic += mass / 2 * (v.x * v.x + v.y * v.y + v.z * v.z);
    sum.rotational += (w.x * w.x + w.y * w.y + w.z * w.z) / (2 * w.w);
    sum.potential -= mass * (gravity.x * x.x + gravity.y * x.y + gravity.z * x.z);
  }
  return sum;
}

void EnergyBalance::save(SavedState& saved, double removed_mass) const {
  saved.energy_totals = {totals_.elastic, totals_.dissipated, totals_.input,
                         removed_mass,    tangential_energy_, largest_available_};
}

void EnergyBalance::restore(const SavedState& saved) {
  totals_.elastic = saved.energy_totals[0];
  totals_.dissipated = saved.energy_totals[1];
  totals_.input = saved.energy_totals[2];
  tangential_energy_ = saved.energy_totals[4];
  largest_available_ = saved.energy_totals[5];
}

}  // namespace abut
