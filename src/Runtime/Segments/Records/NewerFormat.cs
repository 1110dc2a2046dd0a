namespace BufferedMessages.Segments;

/// <summary>The exceptions for files and records that a newer version of this package wrote.</summary>
internal static class NewerFormat
{
    private const string Advice = "Update the BufferedMessages package.";

    /// <summary>The exception for a file of a newer version.</summary>
    public static NotSupportedException OfVersion(string path, uint version, uint known) =>
        new($"'{path}' is of format version {version}; this program knows version {known}. {Advice}");

    /// <summary>The exception for content that this version does not know.</summary>
    public static NotSupportedException OfContent(string path, string content) => new($"'{path}' holds {content}, which this program does not know. {Advice}");

    /// <summary>Requires that no unknown feature is required.</summary>
    /// <param name="path">The file.</param>
    /// <param name="unknown">The bits of the required features that this program does not know.</param>
    /// <exception cref="NotSupportedException">There is one.</exception>
    public static void RefuseUnknown(string path, uint unknown)
    {
        if (unknown != 0)
        {
            throw OfContent(path, $"the required features 0x{unknown:X}");
        }
    }
}
