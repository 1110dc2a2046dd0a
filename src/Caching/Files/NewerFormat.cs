using System.Globalization;

namespace BufferedMessages.Caching;

/// <summary>The exceptions for files of a cache that need a newer program. Nothing in them was changed.</summary>
internal static class NewerFormat
{
    private const string Advice = "Update the BufferedMessages.Caching package, or delete the directory and let the cache be filled again.";

    public static NotSupportedException OfVersion(string file, int version, int known) => new(
        string.Create(CultureInfo.InvariantCulture, $"'{file}' is of format version {version}; this program knows version {known}. {Advice}"));

    public static NotSupportedException OfFeatures(string file, uint required) => new(
        string.Create(CultureInfo.InvariantCulture, $"'{file}' needs the features 0x{required:X}, which this program does not know. {Advice}"));
}
