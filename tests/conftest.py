"""What all tests share. HYPOTHESIS_PROFILE=fuzz runs the property tests with thousands of examples."""

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

from tests.configurations import shipped_expectation, shipped_settings, shipped_setup
from tests.drawn import PROFILE

COMMON = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", derandomize=True, max_examples=60, **COMMON)
settings.register_profile("fuzz", max_examples=5000, **COMMON)
settings.load_profile(PROFILE)


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Name a failed test at once: a run that is broken off never comes to its summary."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\nFAILED {report.nodeid} ({report.when})", file=sys.__stderr__, flush=True)


@pytest.fixture
def default_setup():
    return shipped_setup()


@pytest.fixture
def default_settings():
    return shipped_settings()


@pytest.fixture
def default_expectation():
    return shipped_expectation()
