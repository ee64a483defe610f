#pragma once

#include <abut/box.hpp>
#include <abut/detector.hpp>
#include <abut/error.hpp>
#include <abut/method.hpp>
#include <abut/options.hpp>
#include <abut/pair.hpp>
#include <abut/spheres.hpp>
