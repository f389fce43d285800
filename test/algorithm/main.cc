/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#define BOOST_TEST_MODULE linux - tcp algorithms
#include <boost/test/unit_test.hpp>
