//! The table of formats: which module reads which format.

use super::reader::Reader;
use super::{
    bullseye, clover, cobertura, codecov, coverage_py_json, ctc, dotcover, go, istanbul, jacoco,
    lcov, llvm_json, mprof, ncover, opencover, phpunit_xml, scoverage, simplecov,
    sonarqube_generic, visual_studio,
};
use crate::format::Format;

/// Returns how a format is recognised and read.
pub(super) fn reader(format: Format) -> &'static Reader {
    match format {
        Format::Cobertura => &cobertura::READER,
        Format::Jacoco => &jacoco::READER,
        Format::PhpunitXml => &phpunit_xml::READER,
        Format::Clover => &clover::READER,
        Format::SonarQube => &sonarqube_generic::READER,
        Format::Scoverage => &scoverage::READER,
        Format::Bullseye => &bullseye::READER,
        Format::Ctc => &ctc::READER,
        Format::OpenCover => &opencover::READER,
        Format::VisualStudio => &visual_studio::READER,
        Format::DotCover => &dotcover::READER,
        Format::NCover => &ncover::READER,
        Format::Mprof => &mprof::READER,
        Format::Istanbul => &istanbul::READER,
        Format::CoveragePyJson => &coverage_py_json::READER,
        Format::LlvmJson => &llvm_json::READER,
        Format::SimpleCov => &simplecov::READER,
        Format::Codecov => &codecov::READER,
        Format::Lcov => &lcov::READER,
        Format::Go => &go::READER,
    }
}
